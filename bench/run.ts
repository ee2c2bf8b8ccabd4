import { measureCpuSteal } from './cpu-steal.ts'

/** `npm run bench -- <name> [arguments]`: runs one benchmark, which prints its tables and conditions. */
const BENCHMARKS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  answers: () => import('./answers.ts'),
  api: () => import('./api.ts'),
  bulk: () => import('./bulk.ts'),
  deletion: () => import('./deletion.ts'),
  distance: () => import('./distance.ts'),
  embedded: () => import('./embedded.ts'),
  growth: () => import('./growth.ts'),
  'memory-quality': () => import('./memory-quality.ts'),
  'memory-speed': () => import('./memory-speed.ts'),
  rest: () => import('./rest.ts'),
  stall: () => import('./stall.ts'),
  webhooks: () => import('./webhooks.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = BENCHMARKS[name]
if (!load) {
  process.stderr.write(`Which benchmark? ${Object.keys(BENCHMARKS).join(', ')}\n`)
  process.exit(2)
}
const OPTIONS = 'Its options are in docs/benchmarks.md and the pages beside it.'
if (args.some((argument) => argument === '--help' || argument === '-h')) {
  process.stdout.write(`npm run bench -- ${name} [options]\n${OPTIONS}\n`)
  process.exit()
}
const cpuSteal = measureCpuSteal()
try {
  await (await load()).run(args)
} catch (error) {
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error
  process.stderr.write(`${error.message}\n${OPTIONS}\n`)
  process.exit(2)
}
process.stdout.write(`\n${cpuSteal()}\n`)
process.exit()
