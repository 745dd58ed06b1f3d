const split = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Verbs that a button starts with, in the imperative. A heading that starts with one is an instruction. */
export const verbs = split(`
  Abandon Accept Add Adjust Allow Apply Approve Ask Attach Branch Browse Calculate Cancel Change Check Choose Clear Close Collapse Compare Confirm Connect
  Continue Convert Copy Create Cut Decline Delete Deny Deselect Dictate Disable Discard Disconnect Dismiss Download Draw Duplicate Edit Embed Enable Enter
  Expand Export Filter Find Finish Fix Forget Format Generate Get Go Group Hide Import Increase Insert Install Join Jump Keep Learn Leave Load Lock
  Manage Move Name Open Paste Pause Pay Pick Pin Play Preview Print Protect Quit Read Recognize Reconnect Record Redo Reduce Refresh Regenerate Reload Remove Rename
  Replace Report Request Reset Resolve Restart Restore Resume Retry Reuse Review Revoke Rotate Run Save Scroll Search See Select Send Set Share Show
  Shut Sign Skip Sort Start Stop Store Submit Summarize Switch Test Toggle Transcribe Translate Try Turn Undo Unlock Unpin Update Upload Upscale Use Verify
  View Withdraw Wrap Write`)

/** Verbs that are as common as nouns, so a heading may start with one: "Search results", "Export format". */
export const alsoNouns = split(`
  Change Check Copy Cut Export Filter Group Import Keep Load Lock Name Pause Pin Play Preview Record Report Request Reset Search Set Share
  Sign Sort Start Stop Store Switch Test Try Turn Update Upload View Wrap Download Run Read`)

/**
 * Words that a button may start with instead of a verb. Such a button goes back or on, opens an empty form,
 * or confirms an action elsewhere.
 */
export const openings = new Set(['Back', 'Next', 'Previous', 'New', 'I’ve'])

/** Buttons without a noun. Any other button names what it acts on. */
export const wholeButtons = new Set([
  'Got it',
  'Not now',
  'OK',
  'Done',
  'Back',
  'I have an API key',
  ...split(`
  Allow Apply Branch Cancel Change Close Compare Confirm Connect Continue Copy Create Cut Delete Deselect Dictate Discard Disconnect Edit
  Export Generate Hide Import Insert Lock Move Open Paste Pause Pay Pin Play Quit Record Redo Refresh Regenerate Reload Remove Rename
  Replace Reset Restore Resume Retry Revoke Rotate Save Send Show Start Stop Transcribe Undo Unlock Unpin Upscale Use Verify View`),
])
