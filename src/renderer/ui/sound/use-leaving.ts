import { useCallback, useEffect, useRef } from 'react'

/**
 * Returns a function that gives a signal for calls that might outlive the component. The signal aborts when the
 * component unmounts.
 */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const left = new AbortController()
    leaving.current = left
    return () => left.abort()
  }, [])
  return useCallback(() => leaving.current?.signal ?? AbortSignal.abort(), [])
}
