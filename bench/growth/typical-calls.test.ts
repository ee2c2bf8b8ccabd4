import { expect, test } from 'vitest'
import { registry } from '../../server/src/operations.ts'
import { listOperations, pathsOf } from '../../server/src/platform/operation.ts'
import { CALLS, LEFT_OUT } from './typical-calls.ts'

test('each operation is called, or is left out for a reason', () => {
  const operations = listOperations(registry).map(pathsOf)
  const isNeither = (paths: string[]) => !paths.some((path) => path in CALLS || path in LEFT_OUT)
  expect(operations.filter(isNeither)).toEqual([])
})

test('each path is that of an operation, and in one of the two', () => {
  const paths = new Set(listOperations(registry).flatMap(pathsOf))
  const named = [...Object.keys(CALLS), ...Object.keys(LEFT_OUT)]
  expect(named.filter((path) => !paths.has(path))).toEqual([])
  expect(Object.keys(LEFT_OUT).filter((path) => path in CALLS)).toEqual([])
})
