import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judgmentSets, retrievalSets } from './sets.ts'

/** A folder with these files, each of JSON lines. */
function folderOf(files: Record<string, object[]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, lines] of Object.entries(files)) {
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  return folder
}

const decided = (id: string, more: object = {}) => ({ id, decision: 'approve', reasoning: 'Fine.', ...more })
const manifest = (offTopic: object) => ({ 'manifest.json': [{ offTopic }] })

test('a retrieval set has documents, and queries with the grades of what is relevant', () => {
  const folder = folderOf({
    'ir_news.jsonl': [
      { t: 'd', id: 1, text: 'Rates rise.' },
      { t: 'q', id: 'q1', text: 'interest', rel: { 1: 2 } },
    ],
    'notes.jsonl': [{ t: 'd', id: 2 }],
  })
  expect(retrievalSets(folder)).toEqual([
    {
      name: 'news',
      documents: [{ id: '1', text: 'Rates rise.' }],
      queries: [{ text: 'interest', grades: new Map([['1', 2]]) }],
    },
  ])
})

test('the last fifth of the judgments is the future, or those of the last fund; others than approve and reject count not', () => {
  const folder = folderOf({
    'judgments_plain.jsonl': [decided('other', { decision: 'comment' }), ...[...'abcdefghij'].map((id) => decided(id))],
    'judgments_funds.jsonl': [decided('late', { fund: 'f2' }), decided('early', { fund: 'f1', decision: 'reject' })],
    ...manifest({}),
  })
  const told = judgmentSets(folder).map(({ name, history, future }) => [
    name,
    history.map(({ id }) => id).join(''),
    future.map(({ id }) => id).join(''),
  ])
  expect(told).toEqual([
    ['funds', 'early', 'late'],
    ['plain', 'abcdefgh', 'ij'],
  ])
})

test('a judgment takes from its item what it does not say itself', () => {
  const folder = folderOf({
    'items_ads.jsonl': [{ itemId: 7, content: 'A banner.', author: 'ann' }],
    'judgments_ads.jsonl': [
      decided('a', { itemId: 7, createdAt: '2026-01-02T00:00:00Z', reviewer: 'ray' }),
      decided('b', { itemId: 7, content: 'A poster.', author: 'bo', decision: 'reject' }),
      decided('c'),
    ],
    ...manifest({}),
  })
  const [set] = judgmentSets(folder)
  expect([...(set?.history ?? []), ...(set?.future ?? [])]).toEqual([
    {
      id: 'a',
      itemId: '7',
      approve: true,
      reviewer: 'ray',
      author: 'ann',
      reasoning: 'Fine.',
      content: 'A banner.',
      createdAt: Date.UTC(2026, 0, 2),
    },
    expect.objectContaining({ id: 'b', approve: false, author: 'bo', content: 'A poster.', createdAt: 0 }),
    expect.objectContaining({ id: 'c', itemId: 'c', author: null, content: '' }),
  ])
})

test('the manifest names the sets whose queries, or reviewed texts, are off the topic', () => {
  const folder = folderOf({
    'judgments_ads.jsonl': [decided('a', { content: 'A banner.' })],
    'judgments_code.jsonl': [decided('b', { content: 'x = 1' }), decided('c', { content: 'x = 1' })],
    'ir_news.jsonl': [
      { t: 'd', id: 1, text: 'Rates rise.' },
      { t: 'q', id: 2, text: 'interest' },
    ],
    ...manifest({ ads: ['news', 'code'] }),
  })
  expect(judgmentSets(folder).map(({ name, offTopic }) => [name, offTopic])).toEqual([
    ['ads', ['interest', 'x = 1']],
    ['code', []],
  ])
})
