import { createSocket, type RemoteInfo } from 'node:dgram'
import { lookup as lookupByMachine } from 'node:dns/promises'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/process.ts'
import { createNameLookup } from './name-lookup.ts'

const A = 1

/** The name and the type that a DNS query asks for (RFC 1035 §4.1), and its question as bytes. */
function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) }
}

/** Answers with an IPv4 address, with none (NODATA), or that there is no such name (NXDOMAIN). */
function answerTo(query: Buffer, address: string | undefined): Buffer {
  const { type, question } = questionOf(query)
  const isFound = address !== undefined && type === A
  const header = Buffer.from([0, 0, 0x81, address === undefined ? 0x83 : 0x80, 0, 1, 0, Number(isFound), 0, 0, 0, 0])
  query.copy(header, 0, 0, 2)
  const record = [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 1, 0, 4, ...(address ?? '').split('.').map(Number)]
  return Buffer.concat([header, question, ...(isFound ? [Buffer.from(record)] : [])])
}

const KNOWN = new Map([
  ['known.example', '203.0.113.7'],
  ['hooks.dev', '203.0.113.8'],
  ['hooks.dev.svc.cluster.local', '10.0.0.8'],
])

/** A DNS server that knows few names, is silent about those below dark.example, and knows no others. */
async function startServer(): Promise<string[]> {
  const socket = createSocket('udp4', (query: Buffer, { port, address }: RemoteInfo) => {
    const { name } = questionOf(query)
    if (name.endsWith('dark.example')) return
    socket.send(answerTo(query, KNOWN.get(name)), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return [`127.0.0.1:${socket.address().port}`]
}

/** The machine: it notes what it is asked, and answers after a moment. */
function machine() {
  const asked: string[] = []
  let [running, most] = [0, 0]
  const system = async (hostname: string) => {
    asked.push(hostname)
    most = Math.max(most, ++running)
    await delay(5)
    running--
    return [{ address: '127.0.0.1', family: 4 }]
  }
  return { system, asked, most: () => most }
}

test('names whose servers are silent keep no others waiting, not even those that the machine looks up', async () => {
  const lookup = createNameLookup({ servers: await startServer() })
  const ends: string[] = []
  const noted = (name: string) => void ends.push(name)
  const dark = Array.from({ length: 50 }, (_, n) =>
    lookup(`n${n}.dark.example`).catch((error) => {
      noted('dark')
      return error.code
    }),
  )
  await delay(50)
  const known = lookup('known.example').finally(() => noted('known'))
  const local = lookupByMachine('localhost').finally(() => noted('local'))
  expect(await known).toEqual([{ address: '203.0.113.7', family: 4 }])
  await local
  // Of the fifty, each of which takes seconds to be given up, none had to end before.
  expect(ends.sort()).toEqual(['known', 'local'])
  expect(new Set(await Promise.all(dark))).toEqual(new Set(['ETIMEOUT']))
}, 20_000)

test('names that DNS does not know are looked up by the machine, one at a time', async () => {
  const { system, asked, most } = machine()
  const lookup = createNameLookup({ servers: await startServer(), system })
  await Promise.all(['a.cluster', 'b.cluster', 'c.cluster'].map(lookup))
  expect([asked.length, most()]).toEqual([3, 1])
})

test('names without a dot and those in the hosts file are looked up by the machine alone', async () => {
  const { system, asked } = machine()
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  const hostsFile = join(path, 'hosts')
  await writeFile(hostsFile, '# names\n10.0.0.5\tKnown.example  other.example # known.test\n')
  const lookup = createNameLookup({ servers: await startServer(), system, hostsFile })
  for (const name of ['localhost', 'known.example', 'other.example']) await lookup(name)
  expect(asked).toEqual(['localhost', 'known.example', 'other.example'])
})

test.each([
  ['search svc.cluster.local cluster.local\noptions ndots:5 timeout:1\n', '10.0.0.8'],
  ['search svc.cluster.local\n', '203.0.113.8'],
  ['nameserver 192.0.2.1\n', '203.0.113.8'],
])('search domains are tried before or behind the name, as the machine tries them (%j)', async (text, address) => {
  const { path, remove } = await temporaryDirectory()
  onTestFinished(remove)
  const searchFile = join(path, 'resolv.conf')
  await writeFile(searchFile, text)
  const lookup = createNameLookup({ servers: await startServer(), searchFile })
  expect(await lookup('hooks.dev')).toEqual([{ address, family: 4 }])
  expect(await lookup('known.example')).toEqual([{ address: '203.0.113.7', family: 4 }])
})
