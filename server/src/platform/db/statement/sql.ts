/** A statement of SQL, or a part of one. Its text depends on the code alone; its values travel as parameters. */
export interface Sql {
  /** With `$1`, `$2`, … where the values belong. */
  readonly text: string
  readonly values: readonly unknown[]
}

/** The text of a statement: what stands before, between and after its values. */
class Shape {
  readonly strings: readonly string[]
  /** Whether this object stands for the text for good: then larger shapes are kept by it. */
  readonly isKept: boolean
  #text: string | undefined

  constructor(strings: readonly string[], isKept: boolean) {
    this.strings = strings
    this.isKept = isKept
  }

  get text(): string {
    this.#text ??= this.strings.reduce((text, string, index) => `${text}$${index}${string}`)
    return this.#text
  }
}

class Statement implements Sql {
  readonly shape: Shape
  readonly values: readonly unknown[]

  constructor(shape: Shape, values: readonly unknown[]) {
    this.shape = shape
    this.values = values
  }

  get text(): string {
    return this.shape.text
  }
}

/** Tags a template as SQL. Values in it become parameters; other `Sql` in it becomes a part of the text. */
export function sql(strings: readonly string[], ...parts: readonly unknown[]): Sql {
  return new Statement(shapeOf(strings, parts), valuesOf(parts))
}

/** SQL without values. Never for text that a caller sends. */
export const raw = (text: string): Sql => new Statement(rawShape(text), [])

/** Parts or values, at least one, with a separator between them. */
export function join(parts: readonly unknown[], separator = ','): Sql {
  if (parts.length === 0) throw new TypeError('There is nothing to join.')
  return new Statement(shapeOf(joints(parts.length, separator), parts), valuesOf(parts))
}

function valuesOf(parts: readonly unknown[]): readonly unknown[] {
  if (!parts.some((part) => part instanceof Statement)) return parts
  const values: unknown[] = []
  for (const part of parts) {
    if (part instanceof Statement) for (const value of part.values) values.push(value)
    else values.push(part)
  }
  return values
}

/** Where the shapes are kept of the templates that begin alike. */
interface Place {
  shape?: Shape
  /** By the next part; null stands for a value. */
  next: Map<Shape | null, Place>
}

/**
 * Callers of the service influence how statements are composed. Beyond so many places the text of further ones is made
 * anew at each use.
 */
const MOST_PLACES = 20_000
let places = 0
const templates = new WeakMap<readonly string[], Place>()

/** The shape of a template with these parts. Making it anew takes several times as long as finding it. */
function shapeOf(strings: readonly string[], parts: readonly unknown[]): Shape {
  let place = templates.get(strings) ?? newPlace((made) => templates.set(strings, made))
  for (const part of parts) {
    const key = part instanceof Statement ? part.shape : null
    if (place === undefined || key?.isKept === false) return compose(strings, parts, false)
    const here = place
    place = here.next.get(key) ?? newPlace((made) => here.next.set(key, made))
  }
  if (place === undefined) return compose(strings, parts, false)
  place.shape ??= compose(strings, parts, true)
  return place.shape
}

function newPlace(keep: (place: Place) => void): Place | undefined {
  if (places >= MOST_PLACES) return undefined
  places++
  const place = { next: new Map() }
  keep(place)
  return place
}

function compose(strings: readonly string[], parts: readonly unknown[], isKept: boolean): Shape {
  const composed = [strings[0] ?? '']
  for (const [index, part] of parts.entries()) {
    const after = strings[index + 1] ?? ''
    if (part instanceof Statement) {
      const [first = '', ...others] = part.shape.strings
      composed.push(`${composed.pop()}${first}`, ...others)
      composed.push(`${composed.pop()}${after}`)
    } else {
      composed.push(after)
    }
  }
  return new Shape(composed, isKept)
}

const MOST_RAW = 1_000
const rawShapes = new Map<string, Shape>()

function rawShape(text: string): Shape {
  const known = rawShapes.get(text)
  if (known) return known
  const isKept = rawShapes.size < MOST_RAW
  const shape = new Shape([text], isKept)
  if (isKept) rawShapes.set(text, shape)
  return shape
}

/** No text. */
export const empty: Sql = raw('')

const MOST_JOINED = 16
const joined = new Map<string, readonly string[]>()

/** What stands around joined parts. Few parts have it in common, so that their shape is found again. */
function joints(count: number, separator: string): readonly string[] {
  const name = `${count} ${separator}`
  const known = joined.get(name)
  if (known) return known
  const strings = ['', ...Array<string>(count - 1).fill(separator), '']
  if (count <= MOST_JOINED) joined.set(name, strings)
  return strings
}
