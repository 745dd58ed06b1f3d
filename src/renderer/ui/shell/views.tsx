import { t } from '@lingui/core/macro'
import {
  CodeXml,
  Database,
  FolderKanban,
  MessageSquare,
  Settings,
  ShieldQuestionMark,
  Sparkles,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import { PrivacyGlyph } from '../privacy-mark.tsx'
import type { ViewName } from '../route.ts'
import { useVerdictState } from '../verdict-store.ts'

export const viewNames: Readonly<Record<ViewName, string>> = {
  get chat() {
    return t`Chat`
  },
  get projects() {
    return t`Projects`
  },
  get studio() {
    return t`Studio`
  },
  get data() {
    return t`Data`
  },
  get developer() {
    return t`Developer`
  },
  get wallet() {
    return t`Wallet`
  },
  get privacy() {
    return t`Privacy`
  },
  get settings() {
    return t`Settings`
  },
}

const icons: Readonly<Record<ViewName, LucideIcon>> = {
  chat: MessageSquare,
  projects: FolderKanban,
  studio: Sparkles,
  data: Database,
  developer: CodeXml,
  wallet: Wallet,
  privacy: ShieldQuestionMark,
  settings: Settings,
}

/** The icon of a view. Privacy shows the state of the verdict in force. */
export function ViewIcon({ view, size = 16 }: { view: ViewName; size?: number }) {
  const Icon = icons[view]
  return view === 'privacy' ? (
    <PrivacyIcon size={size} />
  ) : (
    <Icon size={size} strokeWidth={1.75} aria-hidden />
  )
}

function PrivacyIcon({ size }: { size: number }) {
  const state = useVerdictState()
  if (state === 'verified') return <PrivacyGlyph privacy="sealed" size={size} />
  if (state === 'refused') return <PrivacyGlyph privacy="refused" size={size} />
  return <ShieldQuestionMark size={size} strokeWidth={1.75} aria-hidden />
}

/** The state of the verdict in force in one word. */
export function usePrivacyStatus(): string {
  const state = useVerdictState()
  if (state === 'verified') return t`verified`
  if (state === 'refused') return t`blocked`
  return t`not verified`
}
