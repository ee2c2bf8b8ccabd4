import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Config } from '../../../platform/config.ts'
import { ApiError } from '../../../platform/errors.ts'
import { Turns } from '../../../platform/turns/turns.ts'

// About 64 MiB and 0.1 s for each guess.
const COST = { N: 2 ** 16, r: 8, p: 1 }
const KEY_BYTES = 32
/** So many guesses at a time: they take threads that files and the syncs of an embedded database wait for too. */
const AT_ONCE = 2
const PATIENCE_MS = 10_000

let running = 0
const turns = new Turns(PATIENCE_MS)
const NONE = `scrypt$${COST.N}$${COST.r}$${COST.p}$$`

/** A salted scrypt hash of a password, with its parameters: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether it is the password. It takes as long when there is none, so that nobody learns who has one. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NONE).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const actual = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** PERMISSION_DENIED where the door of passwords is closed. */
export function assertPasswords({ passwordSignIn }: Pick<Config, 'passwordSignIn'>): void {
  if (passwordSignIn === 'on') return
  throw new ApiError('PERMISSION_DENIED', 'Passwords are switched off on this server (PASSWORD_SIGN_IN=off).')
}

/** RESOURCE_EXHAUSTED if its turn does not come in time. */
async function derive(password: string, salt: Buffer, { N, r, p }: typeof COST): Promise<Buffer> {
  await turns.next(() => (running < AT_ONCE ? ++running : undefined), tooMany)
  try {
    return await scryptOf(password.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r })
  } finally {
    running -= 1
    turns.startNext()
  }
}

const scryptOf = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

const tooMany = () => new ApiError('RESOURCE_EXHAUSTED', 'Too many sign-ins at a time. Try again later.')
