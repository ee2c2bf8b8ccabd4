import { PrecedentError } from '../../../client/src/errors.ts'
import { ItemError } from '../door/all-done.ts'
import { fieldNameOf } from './label-of.ts'

/** Marks the fields that an error names until they are changed, and leads to the first; without one, to the error. */
export function showRefused(form: HTMLFormElement, error: Error): void {
  const said = form.querySelector('[role=alert]')
  for (const field of form.querySelectorAll<HTMLElement>('[aria-invalid]')) clear(field)
  const fields = refusedFields(form, error)
  for (const field of fields) mark(field, said?.id ?? '')
  const [first] = fields
  if (first) first.focus()
  else said?.scrollIntoView({ block: 'nearest' })
}

function refusedFields(form: HTMLFormElement, error: Error): HTMLElement[] {
  const inputs = [...form.elements].filter((each) => each instanceof HTMLElement && 'name' in each && 'value' in each)
  if (error instanceof ItemError) {
    return inputs.filter(({ name, value }) => /Ids?$/.test(`${name}`) && value === error.id).map(shown)
  }
  if (!(error instanceof PrecedentError)) return []
  // A required field names what is there already. The service does not say which.
  if (error.status === 'ALREADY_EXISTS') return inputs.filter((field) => field.matches(':required')).map(shown)
  const names = new Set(error.details?.issues?.map(({ path }) => fieldNameOf(path)))
  return inputs.filter(({ name }) => names.has(`${name}`)).map(shown)
}

/** What somebody sees of a field: a hidden value stands behind the input in which it was chosen. */
function shown(field: HTMLElement): HTMLElement {
  const before = field.previousElementSibling
  return field.matches('[type=hidden]') && before instanceof HTMLElement ? before : field
}

function mark(field: HTMLElement, why: string): void {
  field.ariaInvalid = 'true'
  field.setAttribute('aria-describedby', why)
  field.addEventListener('input', () => clear(field), { once: true })
}

function clear(field: HTMLElement): void {
  field.ariaInvalid = null
  field.removeAttribute('aria-describedby')
}
