import { expect, test, vi } from 'vitest'
import { newWorkspace, startService } from '../../../test/running-service.ts'

test('other work runs between the highlights of many long texts', async () => {
  const many = await newWorkspace(await startService())
  await many.ok('/v2/memory/judgments/add', {
    judgments: Array.from({ length: 50 }, (_, i) => ({
      ...{
        recordId: `long${i}`,
        decision: 'reject',
        reasoning: '漢字。'.repeat(1_300),
        actionUser: { userId: 'ada', name: 'Ada' },
      },
    })),
  })
  await many.ok('/v2/memory/search', { query: '漢字' })
  const cut = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  const perTurn = [0]
  let before = 0
  const timer = setInterval(() => {
    perTurn.push(cut.mock.calls.length - before)
    before = cut.mock.calls.length
  }, 1)
  await many.ok('/v2/memory/search', { query: '漢字', includeContent: true, limit: 50 })
  clearInterval(timer)
  perTurn.push(cut.mock.calls.length - before)
  const all = cut.mock.calls.length
  vi.restoreAllMocks()
  expect(all).toBeGreaterThan(50 * 1_300)
  expect(Math.max(...perTurn)).toBeLessThan(all / 2)
})
