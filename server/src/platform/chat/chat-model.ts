import type { Config } from '../config.ts'
import { createModelService, type ModelService } from '../outbound/model-service.ts'

/** A language model that writes texts. */
export interface ChatModel {
  /** The answer to a prompt; undefined if the model is slow, gone or answers what is no text. Never throws. */
  complete(prompt: { system: string; user: string }): Promise<string | undefined>
}

const TIMEOUT_MS = 10_000
/** After a failure nobody waits for the model again for this long. */
const REST_MS = 15_000
const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_TOKENS = 800

/** A service with OpenAI's `POST /chat/completions`; undefined if none is configured. */
export function createChatModel(config: Pick<Config, 'chatUrl' | 'chatModel' | 'chatApiKey'>): ChatModel | undefined {
  const { chatUrl, chatModel, chatApiKey } = config
  if (chatUrl === undefined || chatModel === undefined) return undefined
  const service = createModelService(chatUrl, '/chat/completions', MAX_ANSWER_BYTES)
  let restsUntil = 0

  return {
    async complete({ system, user }) {
      if (performance.now() < restsUntil) return undefined
      const body = {
        model: chatModel,
        temperature: 0,
        max_tokens: MAX_TOKENS,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
      }
      const text = await ask(service, body, chatApiKey)
      if (text === undefined) restsUntil = performance.now() + REST_MS
      return text
    },
  }
}

async function ask(service: ModelService, body: object, apiKey: string | undefined): Promise<string | undefined> {
  try {
    const response = await service.post(body, { apiKey, timeoutMs: TIMEOUT_MS })
    return response.status === 200 ? textOf(response.body) : undefined
  } catch {
    // Not reached, too slow, or no JSON.
    return undefined
  }
}

function textOf(body: Buffer): string | undefined {
  const { choices } = Object(JSON.parse(body.toString('utf8'))) as { choices?: { message?: { content?: unknown } }[] }
  const content = choices?.[0]?.message?.content
  return typeof content === 'string' && content.trim() !== '' ? content : undefined
}
