import type { TValidationError } from 'typebox/error'

/** What the schema asks that a value broke, as an error message says it after the path. */
export function ruleOf(error: TValidationError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${article([error.params.type].flat().join(' or '))}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} items`
    case 'maxItems':
      return `must have at most ${error.params.limit} items`
    case 'maxProperties':
      return `must have at most ${error.params.limit} keys`
    case 'pattern':
      return `must match ${error.params.pattern}`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'format':
      return FORMAT_RULES[error.params.format] ?? `must be a valid ${error.params.format}`
    default:
      return `breaks the rule ${error.keyword}`
  }
}

const FORMAT_RULES: Record<string, string> = {
  identifier: 'must not contain control characters',
  'not-blank': 'must not be empty',
  'email-address': 'must be an email address',
  'http-url': 'must be a valid http(s) URL, without control characters and not on port 0',
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)
