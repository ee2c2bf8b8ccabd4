import type { Alert } from './alert.ts'
import type { FoundAlert } from './found-alert.ts'

type Found = Pick<FoundAlert, 'alertType' | 'contentType' | 'side' | 'baseline' | 'current' | 'windowDays'>
type Words = Pick<Alert, 'title' | 'description' | 'suggestedAction'>

/** Says in words what was found, from numbers alone. */
export function wordingOf({ alertType, contentType, side, baseline, current, windowDays }: Found): Words {
  const what = contentType === null ? 'all content' : contentType
  const change = `${percent(current)} in the last ${windowDays} days, ${percent(baseline)} in the months before`
  if (alertType === 'standards_drift')
    return {
      title: `Approvals of ${what} ${current > baseline ? 'rise' : 'fall'}`,
      description: `Share of approvals among decisions on ${what}: ${change}.`,
      suggestedAction: 'Read the latest decisions. If the standard has changed, write the new one down as a rule.',
    }
  if (alertType === 'anomaly')
    return {
      title: 'Reviewers disagree more than usual',
      description: `Share of items on which reviewers decided differently: ${change}.`,
      suggestedAction: 'Let the reviewers agree on the items that are named, and write down what they agree on.',
    }
  if (alertType === 'emerging_standard')
    return {
      title: `A new reason to ${side}`,
      description: `Share of decisions that give a reason to ${side} that was hardly given before: ${change}.`,
      suggestedAction: 'Read the judgments that are named. If their reason shall hold, write it down as a rule.',
    }
  return {
    title: 'Rules have not changed for a year',
    description: `A knowledge source is ${Math.round(current)} days old, and decisions are still made by it.`,
    suggestedAction: 'Check whether its rules still hold, then update or replace it.',
  }
}

const percent = (share: number) => `${Math.round(100 * share)} %`
