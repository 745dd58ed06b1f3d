import { Tabs } from 'radix-ui'
import type { ComponentType } from 'react'
import styles from './view-tabs.module.css'
import { go, useRoute, type ViewName } from './route.ts'

export interface ViewTab {
  /** The part of the route. */
  readonly id: string
  readonly name: string
  /** What is heavy is fetched when it is first shown (./lazy-part.tsx). */
  readonly Tab: ComponentType
}

/**
 * The parts of a room, of which one is shown. Which one stands in the address; the first has the room's own. Arrow keys go among them.
 * `under`: the tab of a place that is none itself.
 */
export function ViewTabs({
  room,
  label,
  tabs,
  under,
}: {
  room: ViewName
  label: string
  tabs: readonly [ViewTab, ...ViewTab[]]
  under?: string | undefined
}) {
  const { part } = useRoute()
  const [first] = tabs
  const shown = tabs.find(({ id }) => id === (under ?? part)) ?? first
  return (
    <Tabs.Root
      value={shown.id}
      onValueChange={(id) => go(id === first.id ? { room } : { room, part: id })}
      className={styles.tabs}
    >
      <Tabs.List className={styles.names} aria-label={label}>
        {tabs.map(({ id, name }) => (
          <Tabs.Trigger key={id} value={id} className={styles.name}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {/* Of the others nothing is here. */}
      <Tabs.Content key={shown.id} value={shown.id} tabIndex={-1} className={styles.content}>
        <shown.Tab />
      </Tabs.Content>
    </Tabs.Root>
  )
}
