/** Returns a function that calls `make` once for each distinct value and remembers the result. */
export function memoize<Value, Made extends object>(make: (value: Value) => Made): (value: Value) => Made {
  const made = new Map<Value, Made>()
  return (value) => {
    const result = made.get(value) ?? make(value)
    made.set(value, result)
    return result
  }
}
