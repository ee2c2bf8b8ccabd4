import { expect, test } from 'vitest'
import { externalDataFiles } from './onnx-external-data.ts'

const entry = (name: string) =>
  Buffer.concat([Buffer.from([0x0a, 8]), Buffer.from('location'), Buffer.from([0x12, name.length]), Buffer.from(name)])

test('each file with weights is named once', () => {
  const model = Buffer.concat([entry('b.data'), Buffer.from('weights'), entry('a.data'), entry('b.data')])
  expect(externalDataFiles(model)).toEqual(['a.data', 'b.data'])
  expect(externalDataFiles(Buffer.from('location'))).toEqual([])
})

test('a name of more than 127 bytes is read whole', () => {
  const name = 'x'.repeat(200)
  const model = Buffer.concat([
    Buffer.from([0x0a, 8]),
    Buffer.from('location'),
    Buffer.from([0x12, 200, 1]),
    Buffer.from(name),
  ])
  expect(externalDataFiles(model)).toEqual([name])
})

test.each(['../weights', '/etc/passwd', 'sub/weights', '..', ''])('weights at "%s" are refused', (name) => {
  expect(() => externalDataFiles(entry(name))).toThrow(/outside of its directory/)
})
