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
const cpuSteal = measureCpuSteal()
await (await load()).run(args)
process.stdout.write(`\n${cpuSteal()}\n`)
process.exit()
