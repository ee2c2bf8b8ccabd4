import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { InferenceSession, Tensor } from 'onnxruntime-web'

/** A runtime of ONNX models. The two have the same interface, as far as it is used here. */
type Runtime = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor'>

/** A model that is ready to compute, and the tensors of its runtime. */
interface LoadedSession {
  session: InferenceSession
  Tensor: typeof Tensor
}

/** The packages that `EMBEDDER=onnx` needs. */
const PACKAGES = 'onnxruntime-web@1.30.0 @huggingface/tokenizers@0.2.0'

/**
 * Loads `model.onnx` of a directory and the files with its weights beside it: with the native runtime where
 * `onnxruntime-node` is installed, on half of the cores, else in WebAssembly on one.
 */
export async function loadSession(directory: string, external: string[]): Promise<LoadedSession> {
  const native = await loadNative()
  try {
    return native ? await nativeSession(native, directory) : await webSession(directory, external)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`EMBEDDER_MODEL has a model.onnx that cannot be loaded: ${reason}`, { cause: error })
  }
}

async function nativeSession({ InferenceSession, Tensor }: Runtime, directory: string): Promise<LoadedSession> {
  // The process needs the other cores for its other work.
  const intraOpNumThreads = Math.max(1, Math.floor(availableParallelism() / 2))
  const options = { intraOpNumThreads, logSeverityLevel: 3 } as const
  return { session: await InferenceSession.create(join(directory, 'model.onnx'), options), Tensor }
}

async function webSession(directory: string, external: string[]): Promise<LoadedSession> {
  const { InferenceSession, Tensor, env } = await loadPackage(() => import('onnxruntime-web'))
  env.wasm.numThreads = 1
  env.logLevel = 'error'
  const read = (name: string) => readFile(join(directory, name))
  const externalData = await Promise.all(external.map(async (path) => ({ path, data: await read(path) })))
  const options = { executionProviders: ['wasm'], externalData }
  return { session: await InferenceSession.create(await read('model.onnx'), options), Tensor }
}

// No dependency, not even an optional one: its installation downloads more than the registry holds.
const NATIVE: string = 'onnxruntime-node'

/** Undefined where the native runtime is not installed. */
async function loadNative(): Promise<Runtime | undefined> {
  try {
    const loaded = (await import(NATIVE)) as Runtime & { default?: Runtime }
    return loaded.default ?? loaded
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw new Error(`${NATIVE} is installed but cannot be loaded: ${String(error)}`, { cause: error })
  }
}

/** Loads a package, or says which are missing. */
export async function loadPackage<Package>(load: () => Promise<Package>): Promise<Package> {
  try {
    return await load()
  } catch (error) {
    throw new Error(`EMBEDDER=onnx needs two packages more: npm install ${PACKAGES}`, { cause: error })
  }
}
