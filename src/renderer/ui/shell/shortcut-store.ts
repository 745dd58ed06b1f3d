import { create } from 'zustand'

export const useShortcutSheet = create<{ readonly open: boolean }>()(() => ({ open: false }))

export function showShortcuts(open: boolean): void {
  useShortcutSheet.setState({ open })
}
