import { parentPort, workerData } from 'node:worker_threads'
import { indexed } from './indexed-text.ts'
import { readPdf } from './pdf.ts'
import { type Extracted, MIME_TYPES, type MimeType, ReadingError } from './reading.ts'
import { readCsv, readText } from './text.ts'
import { readXlsx } from './xlsx.ts'

/** The worker thread that reads one file: posts what it holds, or why it cannot be read, and ends. */
const { bytes, mimeType } = workerData as { bytes: Uint8Array; mimeType: MimeType }

async function extracted(): Promise<Extracted> {
  switch (mimeType) {
    case MIME_TYPES.pdf:
      return readPdf(bytes)
    case MIME_TYPES.xlsx:
      return readXlsx(bytes)
    case MIME_TYPES.csv:
      return readCsv(bytes)
    case MIME_TYPES.text:
      return readText(bytes)
  }
}

try {
  const { markdown, usedRawFallback } = await extracted()
  const read = await indexed(markdown, async (items, map) => items.map(map))
  parentPort?.postMessage({ read: { ...read, usedRawFallback } })
} catch (error) {
  const reason = error instanceof ReadingError ? error.reason : 'file-unreadable'
  parentPort?.postMessage({ reason, detail: error instanceof Error ? error.message : '' })
}
