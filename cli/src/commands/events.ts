import type { Api } from '../../../client/src/index.ts'
import { type Command, command } from '../command.ts'
import { connect } from '../connection.ts'
import { FOLLOWING, following } from '../following.ts'
import { defined } from '../option-values.ts'
import { note, timeOf, writeJson, writeLine, writePretty } from '../output.ts'
import { tail } from '../tail.ts'

const eventsTail = command({
  name: 'events tail',
  summary: 'Show the latest events that were sent to webhook endpoints, then each new one.',
  parameters: [],
  options: {
    ...FOLLOWING,
    type: { type: 'string', value: '<event>', about: 'Only this event type.' },
    endpoint: { type: 'string', value: '<id>', about: 'Only events of this endpoint, or of `raw` or `processed`.' },
    payload: { type: 'boolean', about: 'Show the content of each event; --json always does.' },
  },
  async run({ json, payload, type, endpoint, ...values }) {
    const { api } = await connect(values)
    const filters = defined({ eventType: type, endpointId: endpoint })
    const deliveries = tail({
      list: (page) => api.webhooks.listDeliveries({ ...filters, ...page }),
      // An event that goes to several endpoints is shown once.
      idOf: ({ messageId }) => messageId,
      onNone: () => json || note('Events are listed once an endpoint receives them.'),
      ...following(values),
    })
    for await (const { id, messageId, eventType, createdAt } of deliveries) {
      if (json) await writeJson({ id: messageId, type: eventType, createdAt, payload: await payloadOf(api, id) })
      else await writeLine(`${timeOf(createdAt)}  ${eventType.padEnd(36)}  ${messageId}`)
      if (payload && !json) await writePretty(await payloadOf(api, id))
    }
  },
})

async function payloadOf(api: Api, deliveryId: string): Promise<unknown> {
  return (await api.webhooks.getDelivery({ deliveryId })).data.request.payload
}

export const eventCommands: Command[] = [eventsTail]
