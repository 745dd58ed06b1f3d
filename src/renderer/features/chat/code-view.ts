import { create } from 'zustand'

/** How code is shown, in every block alike. */
export const useCodeView = create<{ readonly wrap: boolean; readonly numbers: boolean }>()(() => ({
  wrap: false,
  numbers: false,
}))

export function toggleCodeView(part: 'wrap' | 'numbers'): void {
  useCodeView.setState((view) => ({ [part]: !view[part] }))
}
