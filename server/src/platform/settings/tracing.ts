import { Type } from '../schema.ts'

/** The settings of traces. Where they go is set by the standard variables `OTEL_*`. */
export const tracingSettings = {
  TRACING: Type.Enum(['off', 'otlp'], {
    default: 'off',
    description:
      'Whether the process sends traces of requests, events and deliveries by OpenTelemetry, to `OTEL_EXPORTER_OTLP_ENDPOINT`. It needs packages more; see `docs/operations.md`.',
  }),
  TRACING_PERCENT: Type.Integer({
    default: 100,
    minimum: 0,
    maximum: 100,
    unit: 'percent',
    description:
      'How many of the traces that begin here are sent. A caller that sends `traceparent` decides about its own.',
  }),
}
