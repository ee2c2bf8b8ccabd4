import { type Api, type EventType, PrecedentError } from '../../../client/src/index.ts'
import { type Command, command } from '../command.ts'
import { connect } from '../connection.ts'
import { Failure, UsageError } from '../failure.ts'
import { defined, numberOf } from '../option-values.ts'
import { note, timeOf, writeJson, writeLine, writePretty } from '../output.ts'
import { addressFault } from '../profile.ts'
import { type Received, startReceiver } from '../webhook-receiver.ts'

const listen = command({
  name: 'webhooks listen',
  summary: 'Receive webhooks on this machine: verify each, show it, and send it on to a local address.',
  parameters: [],
  options: {
    port: { type: 'string', value: '<port>', about: 'Where to listen on 127.0.0.1; default 4400, 0 takes a free one.' },
    forward: {
      type: 'string',
      value: '<address>',
      about: 'Send verified requests on. The status of the answer is returned.',
    },
    endpoint: { type: 'string', value: '<id>', about: 'Receive for this endpoint instead of a temporary one.' },
    url: {
      type: 'string',
      value: '<address>',
      about: 'The address of the temporary endpoint, if a tunnel leads here.',
    },
    types: { type: 'string', multiple: true, value: '<event> …', about: 'Only these event types.' },
    quiet: { type: 'boolean', about: 'Show one line for each event, not its content.' },
  },
  notes:
    'It makes an endpoint that leads here and deletes it at the end. The server must be allowed to reach this machine\n' +
    '(OUTBOUND_ALLOW). With WEBHOOK_SECRET set, it makes none and verifies with that secret.',
  async run({ json, quiet, port = '4400', forward, endpoint, url, types, ...given }) {
    const fault = forward === undefined ? undefined : addressFault(forward)
    if (fault) throw new UsageError(`--forward takes the address of a program: ${fault}.`)
    const known = process.env.WEBHOOK_SECRET
    const api = known ? undefined : (await connect(given)).api
    let secret = known ?? ''
    const onReceived = (received: Received) => void show(received, { json, quiet })
    const receiver = await startReceiver({
      port: numberOf('--port', port, /^\d+$/, 0, 65_535),
      secret: () => secret,
      forward,
      onReceived,
    })
    const interrupted = new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    let temporary: string | undefined
    try {
      if (api && endpoint === undefined) temporary = await createTemporary(api, url ?? receiver.url, types)
      const id = endpoint ?? temporary
      if (api && id !== undefined) secret = (await api.webhooks.getEndpointSecret({ endpointId: id })).data.secret
      note(`Listening on ${receiver.url}${id === undefined ? '' : ` for endpoint ${id}`}. Ctrl-C ends it.`)
      if (forward !== undefined && id !== undefined)
        note(`\`precedent call getEndpointSecret --endpoint-id ${id}\` shows the secret that ${forward} verifies with.`)
      await interrupted
    } finally {
      receiver.close()
      if (api && temporary !== undefined) await api.webhooks.deleteEndpoint({ endpointId: temporary })
    }
  },
})

async function createTemporary(api: Api, url: string, types: string[] | undefined): Promise<string> {
  // The server names those that are no event types.
  const filter = types === undefined ? {} : { filterTypes: types as EventType[] }
  try {
    const { data } = await api.webhooks.createEndpoint({ url, description: 'precedent webhooks listen', ...filter })
    return data.id
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.status !== 'FAILED_PRECONDITION') throw error
    throw new Failure(error.message, '`precedent call updateAdvancedWebhookConfig --is-enabled` enables them.')
  }
}

async function show(received: Received, { json, quiet }: { json?: boolean | undefined; quiet?: boolean | undefined }) {
  const { id, event, fault, status, durationMs } = received
  if (json) return writeJson({ id, event: event ?? null, status, durationMs, fault: fault ?? null })
  const verdict = event === undefined ? 'REFUSED' : 'verified'
  await writeLine(`${timeOf(Date.now())}  ${typeOf(event)}  ${id}  ${verdict}, answered ${status} in ${durationMs} ms`)
  if (fault !== undefined) note(`  ${fault}`)
  if (event !== undefined && !quiet) await writePretty(event)
}

function typeOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return '-'
  if ('event' in event) return String(event.event)
  return 'type' in event ? String(event.type) : '-'
}

const replay = command({
  name: 'webhooks replay',
  summary: 'Send the events of a time range to an endpoint again.',
  parameters: ['<endpoint>'],
  options: {
    from: { type: 'string', value: '<date>', about: 'The beginning of the range. One of --from and --to is required.' },
    to: { type: 'string', value: '<date>', about: 'The end of the range.' },
    failed: { type: 'boolean', about: 'Only events whose delivery has failed.' },
  },
  async run({ json, from, to, failed, ...given }, [endpointId = '']) {
    if (from === undefined && to === undefined) throw new UsageError('--from or --to is missing.')
    const { api } = await connect(given)
    const { data } = await api.webhooks.replayDeliveries({
      endpointId,
      dateRange: defined({ start: from, end: to }),
      ...(failed && { status: 'failed' as const }),
    })
    if (json) return writeJson(data)
    await writeLine(`${data.queued} queued. \`precedent events tail\` shows the events.`)
  },
})

export const webhookCommands: Command[] = [listen, replay]
