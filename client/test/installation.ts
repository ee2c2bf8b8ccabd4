import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../../server/test/process.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))

/** A project outside the repository that has nothing but the packed client. */
export interface Installation {
  path: string
  write(file: string, text: string): Promise<void>
  /** Runs a program of it in Node and resolves with its output. */
  node(file: string, env?: Record<string, string>): Promise<string>
  /**
   * Compiles TypeScript beside its source, strictly and with the declarations of libraries; rejects with the errors.
   */
  compile(file: string, options: string[]): Promise<void>
  remove(): Promise<void>
}

/** Packs the client as its README says and installs the file in an empty folder, without a network. */
export async function installClient(): Promise<Installation> {
  const { path, remove } = await temporaryDirectory()
  await run('npm', ['pack', '--pack-destination', path], { cwd: join(repository, 'client') })
  const [packed = ''] = (await readdir(path)).filter((file) => file.endsWith('.tgz'))
  await writeFile(join(path, 'package.json'), '{ "name": "outside", "private": true, "type": "module" }')
  const flags = ['--offline', '--no-audit', '--no-fund', '--cache', join(path, 'cache')]
  await run('npm', ['install', ...flags, `./${packed}`], { cwd: path })
  return {
    path,
    remove,
    write: (file, text) => writeFile(join(path, file), text),
    node: async (file, env = {}) => {
      const { PATH = '', HOME = '' } = process.env
      const { stdout } = await run(process.execPath, [file], { cwd: path, env: { PATH, HOME, ...env } })
      return stdout
    },
    compile: async (file, options) => {
      const strict = ['--strict', '--skipLibCheck', 'false', '--exactOptionalPropertyTypes', '--target', 'es2022']
      const tsc = join(repository, 'node_modules/typescript/bin/tsc')
      await run(process.execPath, [tsc, ...strict, ...options, file], { cwd: path }).catch((error) => {
        throw new Error(error.stdout)
      })
    },
  }
}

/** For projects on Node without the types of browsers: those of Node that the repository uses. */
export const NODE_TYPES = ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(repository, 'node_modules/@types')]

/** The code of a page, block by block. */
export async function codeOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(repository, page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].flatMap(([, code]) => code ?? [])
}
