import sax from 'sax'
import { ReadingError } from './reading.ts'

interface Handlers {
  open(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Tells what stands in XML, by local names. The parser knows the entities of XML and HTML; a document type declares
 * nothing to it.
 */
export function parseXml(xml: string, { open, text, close }: Handlers): void {
  const parser = sax.parser(true)
  parser.onopentag = ({ name, attributes }) => open(localName(name), attributes as Record<string, string>)
  if (text) {
    parser.ontext = text
    parser.oncdata = text
  }
  if (close) parser.onclosetag = (name) => close(localName(name))
  parser.onerror = (error) => {
    throw new ReadingError('file-unreadable', error)
  }
  parser.write(xml).close()
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
