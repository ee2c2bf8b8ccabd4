import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../../scripts/generated.ts'

test('the generated files are current: `npm run generate` changes nothing', { timeout: 120_000 }, async () => {
  for (const [path, content] of Object.entries(await generatedFiles())) {
    const kept = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8').catch(() => '')
    expect(kept === content, `${path} is stale`).toBe(true)
  }
})
