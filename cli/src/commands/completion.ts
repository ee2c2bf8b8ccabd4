import { flagOf } from '../call/field.ts'
import { operations } from '../call/operation.ts'
import { type Command, command, commandOf, GLOBAL_OPTIONS, generalOptions } from '../command.ts'
import { UsageError } from '../failure.ts'
import { write } from '../output.ts'
import { CALL_OPTIONS } from './call.ts'

const SCRIPTS: Record<string, string> = {
  bash: `_precedent() {
  local IFS=$'\\n'
  COMPREPLY=($(precedent complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _precedent precedent
`,
  zsh: `#compdef precedent
_precedent() {
  local -a found
  found=(\${(f)"$(precedent complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- "\${found[@]}"; else _files; fi
}
compdef _precedent precedent
`,
  fish: `function __precedent_complete
  set -l words (commandline -opc) (commandline -ct)
  precedent complete -- $words[2..-1] 2>/dev/null
end
complete -c precedent -a '(__precedent_complete)'
`,
}

/** The commands for completion: the script of a shell, and what the scripts ask. */
export function completionCommands(commands: () => Command[]): Command[] {
  const script = command({
    name: 'completion',
    isLocal: true,
    summary: 'Write the script that completes commands in a shell: bash, zsh or fish.',
    parameters: ['<shell>'],
    options: {},
    notes:
      'bash: precedent completion bash >> ~/.bashrc\nzsh:  precedent completion zsh >> ~/.zshrc\n' +
      'fish: precedent completion fish > ~/.config/fish/completions/precedent.fish',
    async run(_, [shell = '']) {
      const text = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
      if (text === undefined) throw new UsageError(`There is no script for ${shell}: bash, zsh or fish.`)
      await write(text)
    },
  })
  const ask: Command = {
    name: 'complete',
    hidden: true,
    summary: 'Write what may follow the words, for the scripts of the shells.',
    parameters: ['[--]', '[words …]'],
    options: {},
    async run([first, ...rest]) {
      const words = first === '--' ? rest : [first ?? '', ...rest]
      const shown = commands().filter(({ hidden }) => !hidden)
      for (const candidate of candidates(shown, words)) await write(`${candidate}\n`)
    },
  }
  return [script, ask]
}

/** What may stand in the place of the last word, after those before it. */
function candidates(commands: Command[], words: string[]): string[] {
  const word = words.at(-1) ?? ''
  return continuations(commands, words.slice(0, -1)).filter((each) => each.startsWith(word))
}

function continuations(commands: Command[], before: string[]): string[] {
  const [first, second] = before
  if (first === undefined) return [...new Set(['help', ...commands.map(({ name }) => name.split(' ')[0] ?? '')])]
  const named = commandOf(commands, before)
  if (!named) {
    if (second !== undefined) return []
    return commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : []))
  }
  const dashed = (names: string[]) => names.map((name) => `--${name}`)
  if (named.name !== 'call') return dashed(Object.keys({ ...named.options, ...generalOptions(named.isLocal) }))
  if (second === undefined) return operations.map(({ name }) => name)
  const operation = operations.find(({ name }) => name === second)
  return dashed([...(operation?.fields ?? []).map(flagOf), ...Object.keys({ ...CALL_OPTIONS, ...GLOBAL_OPTIONS })])
}
