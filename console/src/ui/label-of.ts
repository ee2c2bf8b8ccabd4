/** The name of the field of a form that a path of the API leads to: its last part, without the place in a list. */
export const fieldNameOf = (path: string) => (path.split('.').at(-1) ?? '').replace(/(\[\d+\])+$/, '')

/**
 * What a person calls a field of the API: the label of the field of that name in the dialog on top, or on the page
 * where none is open; undefined where there is no such field. What a label says in brackets is left out.
 */
export function labelOf(path: string): string | undefined {
  const shown = [...document.querySelectorAll('dialog')].at(-1) ?? document
  const label = [...shown.querySelectorAll('[name]')]
    .find((field) => field.getAttribute('name') === fieldNameOf(path))
    ?.closest('.field, .check')
    ?.querySelector('label')
  return label?.textContent.replace(/ \(.*\)$/, '')
}
