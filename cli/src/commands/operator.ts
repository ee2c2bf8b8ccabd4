import { type Command, command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { defined } from '../option-values.ts'
import { writeJson, writeLine } from '../output.ts'
import { recordsOfThisMachine, resultOf } from '../running-server.ts'
import { ON_THIS_MACHINE } from '../server-program.ts'

interface Link {
  link: string
  minutes: number
}

/** `precedent operator link`: makes a link that signs somebody in to the console, once. */
export const operator: Command = command({
  name: 'operator link',
  summary: 'Make a link that signs somebody in to the console, once and within 30 minutes.',
  parameters: ['[email]'],
  options: {
    role: {
      type: 'string',
      value: '<operator|admin|developer|reviewer|viewer>',
      about: 'Of an address that is new; default operator.',
    },
    workspace: { type: 'string', value: '<id>', about: 'The only workspace that a new address reaches.' },
  },
  isLocal: true,
  notes: `${ON_THIS_MACHINE}\nA server that has the embedded database open is asked for it.`,
  async run({ json, role, workspace }, [email]) {
    const args = [
      ...(email === undefined ? [] : [email]),
      ...(role === undefined ? [] : ['--role', role]),
      ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ]
    if (email === undefined && (role ?? workspace) !== undefined) throw new UsageError('An email is missing.')
    const input = defined({ email, role, workspaceId: workspace })
    const links = await recordsOfThisMachine<Link>('operator', ['link', ...args], async function* (server) {
      yield (await resultOf<{ data: Link }>(server, 'operators/link', input)).data
    })
    for await (const made of links) await (json ? writeJson(made) : show(made))
  },
})

async function show({ link, minutes }: Link): Promise<void> {
  await writeLine(`Open within ${minutes} minutes, once:`)
  await writeLine(`  ${link}`)
  if (opens(link)) return
  await writeLine(
    'The console is served over https only. Set PUBLIC_URL to the https address of the proxy before the server.',
  )
}

/** Whether the console is served there: over https, or on the machine itself. */
const opens = (address: string) => /^https:|^http:\/\/(localhost|127\.|\[::1\])/.test(address)
