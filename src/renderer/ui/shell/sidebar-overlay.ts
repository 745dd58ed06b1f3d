import { create } from 'zustand'

/** Whether a narrow window shows the sidebar over the view. */
export const useSidebarOverlay = create<{ open: boolean }>()(() => ({ open: false }))

export function openSidebarOverlay(): void {
  useSidebarOverlay.setState({ open: true })
}

export function closeSidebarOverlay(): void {
  useSidebarOverlay.setState({ open: false })
}
