import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { showLink } from '../../ui/link-store.ts'

/** Where the release stands for everybody to read. Its address is shown before it is opened; the sandbox's stands nowhere. */
export function ReleaseLink({ release: { repository, tag }, trust }: { release: NonNullable<Verdict['release']>; trust: Verdict['trust'] }) {
  if (trust === 'sandbox') return <span>The sandbox’s releases stand nowhere but here.</span>
  const address = releaseAddress(repository, tag)
  return <Button kind="plain" onClick={() => showLink(address, 'The page of the release, at the host of its source.')}>{address.replace('https://', '')}</Button>
}

/** @param repository on GitHub, `owner/name`, as the policy names it */
export function releaseAddress(repository: string, tag: string): string {
  return `https://github.com/${repository}/releases/tag/${encodeURIComponent(tag)}`
}
