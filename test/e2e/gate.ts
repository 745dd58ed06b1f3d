/** Goes on when it is let. */
export function createGate(): { step: () => Promise<void>; go: () => void } {
  const waiting: (() => void)[] = []
  let open = false
  return {
    step: () => (open ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    go: () => {
      open = true
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}
