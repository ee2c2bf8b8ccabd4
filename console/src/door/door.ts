import { refusalOf } from '../../../client/src/errors.ts'

/** The folder that the page is served from, so that the console works under any path. Every page lies directly in it. */
export const base = new URL('.', location.href)

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

/** Posts and returns `result`. Throws a PrecedentError when the server refuses. */
export async function ask<Result>(path: string, body: object = {}, signal?: AbortSignal): Promise<Result> {
  const response = await post(path, body, signal)
  const answer: { result?: Result } | undefined = await response.json().catch(() => undefined)
  if (response.ok && answer?.result !== undefined) return answer.result
  throw refusalOf(response, answer)
}
