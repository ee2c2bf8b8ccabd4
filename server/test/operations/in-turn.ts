import type { NamedOperation } from '../../src/platform/operation.ts'

/** When an example runs: after what it reads or changes was added; what is deleted comes last, the last added first. */
function turnOf({ name, declaration }: NamedOperation, given: readonly string[]): number {
  const needsIds = given.some((id) => JSON.stringify(declaration.example).includes(`"${id}"`))
  if (/config\/update$/.test(declaration.path)) return 0
  if (declaration.access === 'read') return needsIds ? 3 : 1
  // Whoever tries the memory has nothing but the demo workspace.
  if (name === 'addJudgments') return 0
  if (/^(add|create|ingest)/.test(name)) return 1
  return /^(delete|remove)/.test(name) ? 4 : 2
}

/**
 * Operations in the order in which their examples work on one workspace. `given`: what stands for ids that it gives.
 */
export function inTurn(operations: NamedOperation[], given: readonly string[] = []): NamedOperation[] {
  const turn = new Map(operations.map((operation) => [operation, turnOf(operation, given)]))
  const order = new Map(operations.map((operation, index) => [operation, turn.get(operation) === 4 ? -index : index]))
  return operations.toSorted(
    (one, other) => (turn.get(one) ?? 0) - (turn.get(other) ?? 0) || (order.get(one) ?? 0) - (order.get(other) ?? 0),
  )
}
