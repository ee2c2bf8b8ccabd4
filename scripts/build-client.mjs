/** Builds the client into client/dist: one ES module without dependencies, and its declarations. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

process.chdir(fileURLToPath(new URL('../client', import.meta.url)))
// From scratch, so that nothing of an earlier build is packed.
rmSync('dist', { recursive: true, force: true })

try {
  await build({
    entryPoints: ['src/index.ts'],
    outdir: 'dist',
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    format: 'esm',
    logLevel: 'warning',
  })
  const typescript = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  execFileSync(process.execPath, [typescript, '--project', 'tsconfig.build.json'], { stdio: 'inherit' })
} catch {
  process.exit(1) // Both have printed what is wrong.
}

// The compiler leaves `./api.ts` in declarations, where only `./api.js` is right for every reader.
for (const file of readdirSync('dist').filter((name) => name.endsWith('.d.ts'))) {
  const text = readFileSync(`dist/${file}`, 'utf8')
  writeFileSync(`dist/${file}`, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
}
