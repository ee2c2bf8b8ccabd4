import { expect, test } from 'vitest'
import { textOfMarkup } from './markup-text.ts'

test.each([
  ['<p>A &lt;b&gt; &amp;amp; &quot;c&quot;</p>', 'A <b> &amp; "c"'],
  ['Don&#39;t, don&#x27;t, don&apos;t, don&#8217;t', "Don't, don't, don't, don’t"],
  ['&#x1F989; &#129417; &#X1f989;', '🦉 🦉 🦉'],
  ['a&nbsp;b &copy; &#0; &#x110000; &#; &constructor;', 'a b &copy; &#0; &#x110000; &#; &constructor;'],
  ['&#xD800;', '\ufffd'],
])('the text of %s', (markup, text) => {
  expect(textOfMarkup(markup)).toBe(text)
})
