import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../server/test/process.ts'
import { built } from './built.ts'

test('a benchmark says what to run where the server is not built', async () => {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  await expect(built('api/server', path)).rejects.toThrow('npm run build')
})
