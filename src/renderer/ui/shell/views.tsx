import { t } from '@lingui/core/macro'
import {
  Clapperboard,
  History,
  KeyRound,
  MessageSquareText,
  Plug,
  Settings2,
  ShieldQuestionMark,
  Table2,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import { PrivacyGlyph } from '../privacy-mark.tsx'
import type { ViewName } from '../route.ts'
import { useNow } from '../use-now.ts'
import { verdictState } from '../verdict-state.ts'
import { useVerdict } from '../verdict-store.ts'

/** The rooms that exist, in the order of the rail. */
export const viewNames: Readonly<Record<ViewName, string>> = {
  get chat() {
    return t`Chat`
  },
  get studio() {
    return t`Studio`
  },
  get data() {
    return t`Data`
  },
  get wallet() {
    return t`Wallet`
  },
  get keys() {
    return t`Keys`
  },
  get history() {
    return t`History`
  },
  get privacy() {
    return t`Privacy`
  },
  get 'local-api'() {
    return t`Local API`
  },
  get settings() {
    return t`Settings`
  },
}

const icons: Readonly<Record<ViewName, LucideIcon>> = {
  chat: MessageSquareText,
  studio: Clapperboard,
  data: Table2,
  wallet: Wallet,
  keys: KeyRound,
  history: History,
  privacy: ShieldQuestionMark,
  'local-api': Plug,
  settings: Settings2,
}

/** The sign of a room; Privacy carries the verdict in force. */
export function ViewIcon({ room }: { room: ViewName }) {
  const Icon = icons[room]
  return room === 'privacy' ? <PrivacySign /> : <Icon size={18} strokeWidth={1.6} aria-hidden />
}

function PrivacySign() {
  const now = useNow(15_000)
  const standing = useVerdict((state) => verdictState(state.verdict, now))
  if (standing === 'verified') return <PrivacyGlyph privacy="sealed" size={18} />
  if (standing === 'refused') return <PrivacyGlyph privacy="refused" size={18} />
  return <ShieldQuestionMark size={18} strokeWidth={1.6} aria-hidden />
}

/** The verdict in force as a word after the room's name. */
export function usePrivacyStatus(): string {
  const now = useNow(15_000)
  const standing = useVerdict((state) => verdictState(state.verdict, now))
  if (standing === 'verified') return t`verified`
  if (standing === 'refused') return t`blocked`
  return t`not verified`
}
