import { expect, test } from 'vitest'
import { keyOf } from '../../platform/id.ts'
import { placeMoved } from './place-moved.ts'

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(keyOf) as [string, string, string, string]
/** Folder c is in b, b in a; d is beside a. */
const TREE = new Map([
  [a, []],
  [b, [a]],
  [c, [a, b]],
  [d, []],
])

function moved(parents: Record<string, string>): [string, string[]][] {
  const folders = Object.entries(parents).map(([id, parentFolderId]) => [id, { parentFolderId }] as const)
  return [...placeMoved(new Map(folders), TREE).moves]
}

test('a folder that is named with the parent it has stays where it is', () => {
  expect(moved({ a: 'root', b: 'a', c: 'b' })).toEqual([])
})

test('a folder that keeps its parent moves with it', () => {
  expect(moved({ a: 'd', b: 'a', c: 'b' })).toEqual([
    [a, [d]],
    [b, [d, a]],
    [c, [d, a, b]],
  ])
})
