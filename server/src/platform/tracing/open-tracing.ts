import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span as OtelSpan, SpanContext } from '@opentelemetry/api'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { seldom } from '../seldom.ts'
import { type Tracing, UNTRACED } from './tracing.ts'

/** The packages that `TRACING=otlp` needs, in the newest versions that run on Node 20. */
const PACKAGES =
  '@opentelemetry/api@1.9.1 @opentelemetry/resources@2.12.1 @opentelemetry/sdk-trace@2.12.1 @opentelemetry/exporter-trace-otlp-http@0.223.1'

/**
 * Starts the tracing that is configured. The packages read where to send traces, and the name of the service, from the
 * standard variables `OTEL_*`. Throws if they are not installed. Logs what they complain of, such as a collector that
 * does not answer.
 */
export async function openTracing({ tracing, tracingPercent }: Config, log: Pick<Log, 'warn'>): Promise<Tracing> {
  if (tracing === 'off') return UNTRACED
  const { api, resources, sdk, OTLPTraceExporter } = await loadPackages()
  const complain = seldom((reason, failures) => log.warn({ reason, failures }, 'traces are not sent as they should'))
  const told = (reason: string) => complain(withoutSecrets(reason).slice(0, LONGEST_REASON))
  api.diag.setLogger(
    { error: told, warn: told, info() {}, debug() {}, verbose() {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const detected = resources.detectResources({ detectors: [resources.envDetector, resources.hostDetector] })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': 'precedent' }).merge(detected),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(tracingPercent / 100) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('precedent')
  const currentSpan = new AsyncLocalStorage<OtelSpan>()

  function contextOf(parent: string | null | undefined): Context {
    const remote = parent === undefined ? undefined : parseTraceparent(parent)
    if (remote) return api.trace.setSpanContext(api.ROOT_CONTEXT, remote)
    const current = parent === undefined ? currentSpan.getStore() : undefined
    return current ? api.trace.setSpan(api.ROOT_CONTEXT, current) : api.ROOT_CONTEXT
  }

  return {
    async span(name, { kind, attributes, parent }, work) {
      const options = { kind: api.SpanKind[KINDS[kind]], attributes }
      const span = tracer.startSpan(name, options, contextOf(parent))
      const fail = (message: string) => span.setStatus({ code: api.SpanStatusCode.ERROR, message })
      try {
        return await currentSpan.run(span, () => work({ set: (more) => span.setAttributes(more), fail }))
      } catch (error) {
        // Only its name: the message may hold what a caller sent.
        fail(error instanceof Error ? error.name : 'Error')
        throw error
      } finally {
        span.end()
      }
    },
    current() {
      const span = currentSpan.getStore()
      return span ? formatTraceparent(span.spanContext()) : null
    },
    // Spans that are lost are no reason for the process to end as if it had failed.
    close: () => provider.shutdown().catch((error: unknown) => told(String(error))),
  }
}

/** An address may hold a user, a password and a token, and a header its value. */
const withoutSecrets = (reason: string): string =>
  reason
    .replace(/\S*@/g, '…@')
    .replace(/\?\S*/g, '?…')
    .replace(/has invalid value \(.*\)/s, 'has an invalid value')

/** The reason comes with a stack behind it. */
const LONGEST_REASON = 300

const KINDS = { server: 'SERVER', producer: 'PRODUCER', consumer: 'CONSUMER', client: 'CLIENT' } as const

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const NOTHING = /^0+$/

/** The span that a W3C `traceparent` names; undefined if it names none. */
function parseTraceparent(text: string | null): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text ?? '') ?? []
  if (traceId === '' || NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext) => `00-${traceId}-${spanId}-0${traceFlags & 1}`

async function loadPackages() {
  try {
    const [api, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
    return { api, resources, sdk, OTLPTraceExporter }
  } catch (error) {
    throw new Error(`TRACING=otlp needs packages more: npm install --no-save ${PACKAGES}`, { cause: error })
  }
}
