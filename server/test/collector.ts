import { bodyOf, testReceiver } from './receiver.ts'

/** A span as a collector gets it. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  /** 2: server, 3: client, 4: producer, 5: consumer. */
  kind: number
  attributes: Record<string, unknown>
  /** 2: error. */
  status: { code?: number; message?: string }
  service: unknown
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}

/** A collector of traces on loopback, which speaks OTLP/HTTP with JSON. */
export async function testCollector() {
  const receiver = await testReceiver(() => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"partialSuccess":{}}',
  }))
  return {
    url: receiver.url,
    /** Where and how the exporter sent. */
    requests: () => receiver.received(),
    spans: (): CollectedSpan[] =>
      receiver.received().flatMap((request) =>
        (bodyOf(request) as unknown as Export).resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({
              ...span,
              attributes: valuesOf(span.attributes),
              service: valuesOf(resource.attributes)['service.name'],
            })),
          ),
        ),
      ),
  }
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
