import { Argument, Command } from 'commander'
import { addExamples } from '../help.ts'
import { outlineOf, type CommandOutline } from './command-outline.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** `sotto completion`: prints a script that completes commands and options in a shell. */
export function completionCommand(program: Command): Command {
  const command = new Command('completion')
    .summary('Print a completion script for your shell')
    .description(
      'Print a script that completes commands and options in your shell. Its first lines explain how to install it.',
    )
    .addArgument(new Argument('<shell>', 'Your shell').choices(shells))
    .action(async (shell: Shell) => {
      process.stdout.write(await completionScript(shell, outlineOf(program)))
    })
  return addExamples(
    command,
    'sotto completion bash > ~/.local/share/bash-completion/completions/sotto',
    'sotto completion fish > ~/.config/fish/completions/sotto.fish',
  )
}

/** Renders the script for a shell. */
export async function completionScript(shell: Shell, root: CommandOutline): Promise<string> {
  const [{ bashScript, zshScript }, { fishScript, powerShellScript }] = await Promise.all([
    import('./posix-scripts.ts'),
    import('./other-scripts.ts'),
  ])
  return { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powerShellScript }[shell](root)
}
