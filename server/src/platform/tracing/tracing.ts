type Attributes = Record<string, string | number | boolean>

interface SpanOptions {
  kind: 'server' | 'producer' | 'consumer' | 'client'
  attributes: Attributes
  /** The `traceparent` of the span that led to this one. Undefined: the current span; null or unreadable: none. */
  parent?: string | null | undefined
}

/** A span that is open. */
export interface Span {
  set(attributes: Attributes): void
  /** Marks the span as failed. */
  fail(reason: string): void
}

/** What the process tells about its work. A span begins and ends with a piece of work, and knows what led to it. */
export interface Tracing {
  /** Runs the work in a span. Spans that it begins, however deep, are children of it. An error of the work fails it. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** The current span as a W3C `traceparent`; null outside of any. */
  current(): string | null
  /** Sends what has not been sent yet. */
  close(): Promise<void>
}

const NO_SPAN: Span = { set: () => {}, fail: () => {} }

/** For a process that traces nothing. */
export const UNTRACED: Tracing = {
  span: (_name, _options, work) => work(NO_SPAN),
  current: () => null,
  close: async () => {},
}
