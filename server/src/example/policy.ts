/** The rules that the reviewers of the example decide by, as knowledge of the memory. */
export const POLICY = `# Review guideline of Larkwing Bikes

## Claims
- A claim such as "fastest", "number one" or "9 out of 10" needs a source on the same page.
- Compare with our own older bikes only, never with the bikes of a named competitor.

## Pictures
- A photo or picture that says something has an alt text of one sentence. Decoration has an empty one.
- A headline or text on a photo or a colour has a contrast of at least 4.5 to 1.

## Words
- A button is called by what happens next: a verb and its object, such as "Book a test ride".
- An error message says what happened and what to do. It never blames the reader and never jokes.
- Plain words: no abbreviation and no term of the trade that a new rider does not know.

## Law
- A price is the full price with taxes. "Free" is only what costs nothing now and later.
- Whoever can subscribe in two clicks can cancel in two clicks, and the page says how.
`
