import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { buildOnce } from '../../server/test/process.ts'
import { newWorkspace, type Service, startService } from '../../server/test/running-service.ts'
import { callerOf, PROGRAM, precedent } from '../test/command-line.ts'

/** The program of util-linux that runs a command on a terminal of its own. */
const SCRIPT = '/usr/bin/script'

let service: Service

beforeAll(async () => {
  await buildOnce()
  service = await startService()
})

test.skipIf(!existsSync(SCRIPT))('a terminal shows a bar that grows to the end; a pipe shows none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'precedent-progress-'))
  const file = join(folder, 'judgments.jsonl')
  const lines = Array.from({ length: 3_000 }, (_, n) =>
    JSON.stringify({
      recordId: `r${n}`,
      decision: 'approve',
      reasoning: `Reason ${n}.`,
      actionUser: { userId: 'ada', name: 'Ada' },
    }),
  )
  await writeFile(file, `${lines.join('\n')}\n`)
  const env = callerOf(service, await newWorkspace(service))
  const command = `"${process.execPath}" "${PROGRAM}" memory import "${file}"`
  const { PATH = '' } = process.env
  const { stdout } = await promisify(execFile)(SCRIPT, ['-qec', command, '/dev/null'], { env: { PATH, ...env } })
  const shares = [...stdout.matchAll(/\r\w+ \[#* *\] (\d+) %/g)].map(([, share]) => Number(share))
  expect(shares.length).toBeGreaterThan(1)
  expect(shares.at(-1)).toBe(100)
  expect(shares).toEqual([...shares].sort((a, b) => a - b))
  const piped = await precedent(['memory', 'import', file], env)
  expect([piped.code, /\[#* *\]/.test(piped.errors + piped.output)]).toEqual([0, false])
  await rm(folder, { recursive: true })
})
