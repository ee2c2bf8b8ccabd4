import type { Issue } from '../../platform/errors.ts'
import { valueAt } from '../../platform/json-value.ts'
import { fillIn } from '../../platform/template.ts'

/** The most placeholders of a template; later ones of a template stored before are empty. */
const MAX_PLACEHOLDERS = 200

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * Renders a message template: `{{a.b}}` stands for the value at that path. `{{actionUser.…}}` stands for the actor if
 * the data has no such value. A missing value is empty. Values are inserted as they are, never read as HTML or as a
 * template. A long message is cut.
 */
export function displayMessage(template: string, data: unknown, actor: unknown): string {
  let count = 0
  return fillIn(template, PLACEHOLDER, (path) => {
    if (++count > MAX_PLACEHOLDERS) return ''
    const steps = path.trim().split('.')
    const found = valueAt(data, steps) ?? (steps[0] === 'actionUser' ? valueAt(actor, steps.slice(1)) : undefined)
    return textOf(found)
  })
}

/** Names each template with more placeholders than one may have. */
export const templateIssues = (activities: { displayMessageTemplate?: string | null }[]): Issue[] =>
  activities.flatMap(({ displayMessageTemplate }, index) =>
    hasTooMany(displayMessageTemplate ?? '')
      ? [
          {
            path: `activities[${index}].displayMessageTemplate`,
            message: `must have at most ${MAX_PLACEHOLDERS} placeholders`,
          },
        ]
      : [],
  )

function hasTooMany(template: string): boolean {
  let count = 0
  for (const _ of template.matchAll(PLACEHOLDER)) if (++count > MAX_PLACEHOLDERS) return true
  return false
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
