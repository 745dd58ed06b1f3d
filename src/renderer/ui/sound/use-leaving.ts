import { useCallback, useEffect, useRef } from 'react'

/** Gives a signal that is aborted once the component has left the page: for what is asked meanwhile and would outlive it. */
export function useLeaving(): () => AbortSignal {
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const left = new AbortController()
    leaving.current = left
    return () => left.abort()
  }, [])
  return useCallback(() => leaving.current?.signal ?? AbortSignal.abort(), [])
}
