import { ConnectionError, refusalOf } from '../../../client/src/errors.ts'

/**
 * The folder that the page is served from, so that the console works under any path. Every page lies directly in it.
 */
export const base = new URL('.', location.href)

/** The address of the API: the console lies in a folder of it. */
export const apiAddress = new URL('..', base).href.replace(/\/$/, '')

/** Posts to the console's part of the API and returns the response as it is. The cookie is the only credential. */
export function post(path: string, body: object, signal?: AbortSignal | null): Promise<Response> {
  return fetch(new URL(`api/${path}`, base), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-precedent-console': '1' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/**
 * Loads a part of the console. Throws a ConnectionError when the server is away; any other error means that the server
 * has no such file, as after an upgrade, and that the page must be loaded again.
 */
export const loadPart = <Part>(load: () => Promise<Part>): Promise<Part> =>
  load().catch(async (missing) => {
    await fetch(base, { method: 'HEAD' }).catch((cause) => {
      throw new ConnectionError('The server could not be reached.', { cause })
    })
    throw missing
  })

/** Posts and returns `result`. Throws a PrecedentError when the server refuses, a ConnectionError when it is away. */
export async function ask<Result>(path: string, body: object = {}, signal?: AbortSignal): Promise<Result> {
  const response = await post(path, body, signal).catch((cause) => {
    throw signal?.aborted ? cause : new ConnectionError('The server could not be reached.', { cause })
  })
  const answer: { result?: Result } | undefined = await response.json().catch(() => undefined)
  if (response.ok && answer?.result !== undefined) return answer.result
  throw refusalOf(response, answer)
}

/** The same of an operation whose result has its answer in `data`. */
export const askData = async <Data>(path: string, body?: object, signal?: AbortSignal): Promise<Data> =>
  (await ask<{ data: Data }>(path, body, signal)).data
