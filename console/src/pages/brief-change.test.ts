import { expect, test } from 'vitest'
import { briefChange } from './brief-change.ts'

const OPEN = { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5' }

test('a status, a priority and a person are told by their names', () => {
  const rejected = { id: 'REJECTED', name: 'Rejected', type: 'terminal' }
  expect(briefChange({ from: OPEN, to: rejected })).toEqual({ from: 'Open', to: 'Rejected' })
  expect(briefChange({ to: { id: 'P1', name: 'High' } })).toEqual({ from: null, to: 'High' })
  expect(briefChange({ from: { userId: 'bo', name: 'Bo Chen' }, to: null })).toEqual({ from: 'Bo Chen', to: null })
})

test('a suggestion is told by its state', () => {
  const pending = { status: 'pending', oldValue: '14 days', newValue: '30 days' }
  const accepted = { status: 'accepted', resolvedAt: 1, resolvedBy: { userId: 'maya', name: 'Maya' } }
  expect(briefChange({ from: pending, to: accepted })).toEqual({ from: 'pending', to: 'accepted' })
})

test('a change that no word tells is shown whole', () => {
  const painted = { ...OPEN, color: '#000000' }
  for (const change of [
    { from: OPEN, to: painted },
    { from: 'plan', to: 'final plan' },
    { from: { left: 1 }, to: { left: 2 } },
    { from: { name: 7 }, to: { name: 8 } },
    { from: undefined, to: null },
  ]) {
    expect(briefChange(change)).toEqual(change)
  }
})
