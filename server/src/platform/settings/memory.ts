import { Type } from '../schema.ts'
import { BASE_URL, TOKEN } from './setting-formats.ts'

/** The settings of the decision memory and of its embedding model. */
export const memorySettings = {
  MEMORY_INDEX_MB: Type.Optional(
    Type.Integer({
      minimum: 16,
      maximum: 1_048_576,
      unit: 'MiB',
      otherwise: 'a quarter of the memory of the machine or container',
      description:
        'The most memory for the indexes of judgments in each process. The least recently used are dropped and read again when needed. The one in use stays whatever its size, and a warning is logged. See `docs/memory.md`.',
    }),
  ),
  MEMORY_VECTORS_MB: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_048_576,
      unit: 'MiB',
      otherwise: 'a quarter of the memory of the machine or container',
      description:
        'The most memory for the vectors of judgments in each process with an embedding model. An API key that needs more is searched by pgvector if the database has it, otherwise by words alone.',
    }),
  ),
  MEMORY_AUTHORS: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      "Whether a suggestion may count the record of the item's author: how earlier items of the same `contentUserId` were decided. See `docs/memory.md` on fairness.",
  }),
  EMBEDDER: Type.Enum(['builtin', 'lexical', 'openai', 'onnx'], {
    default: 'builtin',
    description:
      'How similar judgments are found: by words alone (`lexical`), or also by vectors. These come from the embedding of English that the service brings along (`builtin`), an OpenAI-compatible embeddings service (`openai`) or a local ONNX model (`onnx`). See `docs/memory.md`.',
  }),
  EMBEDDER_URL: Type.Optional(
    Type.String({
      format: BASE_URL,
      unit: 'URL',
      otherwise: 'required with `EMBEDDER=openai`',
      description:
        'The base address of the embeddings service, up to and including `/v1`. It may be private regardless of `OUTBOUND_ALLOW`.',
    }),
  ),
  EMBEDDER_MODEL: Type.Optional(
    Type.String({
      unit: 'model name or directory',
      otherwise: 'required with `EMBEDDER=openai` or `onnx`',
      description: 'The name of the model at the embeddings service, or the directory of the ONNX model.',
    }),
  ),
  EMBEDDER_API_KEY: Type.Optional(
    Type.String({
      format: TOKEN,
      orFile: true,
      unit: 'token',
      otherwise: 'none is sent',
      description: 'The bearer token for the embeddings service; a customer can set another for an API key.',
    }),
  ),
  EMBEDDER_QUERY_PREFIX: Type.Optional(
    Type.String({
      maxLength: 200,
      unit: 'text',
      otherwise: 'nothing',
      description:
        'What the model wants to read before a query, such as `query:` or an instruction. A space follows it.',
    }),
  ),
  EMBEDDER_PASSAGE_PREFIX: Type.Optional(
    Type.String({
      maxLength: 200,
      unit: 'text',
      otherwise: 'nothing',
      description:
        'What the model wants to read before a text to be found, such as `passage:`. A space follows it. Another prefix embeds everything again.',
    }),
  ),
  CHAT_URL: Type.Optional(
    Type.String({
      format: BASE_URL,
      unit: 'URL',
      otherwise: 'answers are made of quotes',
      description:
        "The base address, up to and including `/v1`, of a service with OpenAI's `POST /chat/completions`, which writes the answers of `memory/ask`. It may be private regardless of `OUTBOUND_ALLOW`. See `docs/knowledge.md`.",
    }),
  ),
  CHAT_MODEL: Type.Optional(
    Type.String({
      minLength: 1,
      unit: 'model name',
      otherwise: 'required with `CHAT_URL`',
      description: 'The name of the model at that service.',
    }),
  ),
  CHAT_API_KEY: Type.Optional(
    Type.String({
      format: TOKEN,
      orFile: true,
      unit: 'token',
      otherwise: 'none is sent',
      description: 'The bearer token for that service.',
    }),
  ),
}
