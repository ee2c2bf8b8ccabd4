/** A function that calls `make` once for each value and returns the same result for that value afterwards. */
export function memoize<Value, Made extends object>(make: (value: Value) => Made): (value: Value) => Made {
  const made = new Map<Value, Made>()
  return (value) => {
    const result = made.get(value) ?? make(value)
    made.set(value, result)
    return result
  }
}
