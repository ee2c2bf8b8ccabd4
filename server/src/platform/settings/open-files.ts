import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { FURTHER_CONNECTIONS } from '../db/postgres/connection-counts.ts'

/** What an embedded PostgreSQL has open at most, however many the system admits: its own default. */
const MOST_OF_DATABASE = 1_000
/** Fewer it does not take. */
const LEAST_OF_DATABASE = 64
/** For the threads, for mails, and for the files that the process reads. */
const OTHERS = 80
/** A service that holds fewer connections open is of no use. */
const LEAST_CONNECTIONS = 20

const HOW_TO_RAISE =
  'Raise the limit: LimitNOFILE=65536 in a unit of systemd, --ulimit nofile=65536 for a container, ' +
  'ulimit -n 65536 in a shell of root.'

/**
 * How many files this process may have open, its connections among them; undefined where the system does not say, as
 * elsewhere than on Linux. It is the hard limit: Node raises the soft one to it.
 */
export function mostOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return most === 'unlimited' ? undefined : Number(most) || undefined
  } catch {
    return undefined
  }
}

/**
 * How many of them an embedded PostgreSQL may have: a quarter. While a backup runs there are two. It closes those that
 * it used least when it needs others, so fewer make it slower and nothing else.
 */
export function openFilesOfDatabase(most = mostOpenFiles()): number {
  return Math.max(LEAST_OF_DATABASE, Math.min(MOST_OF_DATABASE, Math.floor((most ?? Number.POSITIVE_INFINITY) / 4)))
}

/** How many webhooks may be sent at a time: each takes a connection. */
export function deliveriesWithin(most = mostOpenFiles()): number {
  return Math.max(16, Math.min(1_024, Math.floor((most ?? Number.POSITIVE_INFINITY) / 16)))
}

/**
 * The settings, with no more connections than the limit of open files leaves room for. Without that, callers could take
 * what the database and the threads need to open. Throws where too few files are left to run at all.
 */
export function withinOpenFiles(config: Config, most = mostOpenFiles()): Config {
  if (most === undefined) return config
  const { databaseUrl, databasePoolSize, connections, warnings } = config
  const ofDatabase = (files: number) =>
    databaseUrl === undefined ? 2 * openFilesOfDatabase(files) : databasePoolSize + FURTHER_CONNECTIONS
  const taken = (files: number) => OTHERS + deliveriesWithin(files) + ofDatabase(files)
  const room = most - taken(most)
  const may = `This process may have ${most} files open, its connections among them`
  if (room < LEAST_CONNECTIONS) {
    throw new Error(`${may}, and needs ${taken(0) + LEAST_CONNECTIONS} at least. ${HOW_TO_RAISE}`)
  }
  if (connections === 0) return { ...config, connections: room }
  if (connections <= room) return config
  const warning = `${may}, so it holds ${room} connections open, not CONNECTIONS=${connections}. ${HOW_TO_RAISE}`
  return { ...config, connections: room, warnings: [...warnings, warning] }
}
