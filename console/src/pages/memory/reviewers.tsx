import type { Api } from '../../../../client/src/index.ts'
import { useRead } from '../../door/tenant.tsx'
import { t } from '../../strings.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FilterForm, useFilters } from '../../ui/filters.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { Bar, Facts, Panel } from '../../ui/show.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { numberText, shareText, timeText } from '../../ui/text.ts'
import { REVIEWERS_TO_PICK } from '../choices.ts'
import { type NameOf, useOrganizationNames } from '../names.ts'

type Profile = NonNullable<Awaited<ReturnType<Api['insights']['getProfile']>>>
type Place = Profile['orgBreakdown'][string]

/** How one reviewer decides, beside all others. */
export function Reviewers() {
  const [{ reviewer = '' }] = useFilters()
  const query = useRead(
    ['profile', reviewer],
    async (api, options) => ({ profile: await api.insights.getProfile({ targetUserId: reviewer }, options) }),
    { enabled: reviewer !== '' },
  )
  return (
    <>
      <FilterForm>
        <PickField label={t.profile.reviewer} name="reviewer" value={reviewer} required source={REVIEWERS_TO_PICK} />
      </FilterForm>
      {reviewer === '' ? (
        <Choices />
      ) : (
        <Loaded query={query}>
          {({ profile }) =>
            profile ? <ProfilePanels profile={profile} /> : <Empty what={t.profile.none} next={t.profile.noneNext} />
          }
        </Loaded>
      )}
    </>
  )
}

/** Those who decided lately, to choose from. */
function Choices() {
  const [, change] = useFilters()
  const query = useRead([...REVIEWERS_TO_PICK.key, 'shown'], (api, options) => REVIEWERS_TO_PICK.find(api, '', options))
  return (
    <Loaded query={query}>
      {(reviewers) => (
        <>
          <Empty what={t.profile.nobody} next={t.profile.nobodyNext} />
          <p className="actions">
            {reviewers.map(({ id, name }) => (
              <Button key={id} press={() => change({ reviewer: id })}>
                {name}
              </Button>
            ))}
          </p>
        </>
      )}
    </Loaded>
  )
}

function ProfilePanels({ profile }: { profile: Profile }) {
  const { name, totalJudgments, decidedJudgments, approvalRate, scope, agreement, lastActive } = profile
  const { topFlags, contentTypes, peakHours, evolvedStandards = [], orgBreakdown } = profile
  return (
    <>
      <Panel title={name}>
        <p className="verdict">
          <Bar label={t.profile.approvals} share={approvalRate ?? 0} />
          <strong>{shareText(approvalRate)}</strong>
          <span className="muted">{t.profile.besides(shareText(scope.approvalRate))}</span>
        </p>
        <Facts
          facts={[
            [t.memory.judgments, numberText(totalJudgments)],
            [t.profile.decided, numberText(decidedJudgments)],
            [t.profile.agreement, shareText(agreement.rate)],
            [t.profile.compared, t.quality.ofAsked(numberText(agreement.agreed), numberText(agreement.compared))],
            [t.profile.kinds, contentTypes.join(', ') || t.none],
            [t.profile.hours, peakHours.map((hour) => `${hour}:00`).join(', ') || t.none],
            [t.profile.last, timeText(lastActive)],
          ]}
        />
      </Panel>
      <div className="columns">
        <Panel title={t.profile.flags}>
          {topFlags.length === 0 && <p className="muted">{t.profile.noFlags}</p>}
          <ul>
            {topFlags.map(({ issue, count }) => (
              <li key={issue} className="told">
                {issue} ({numberText(count)})
              </li>
            ))}
          </ul>
        </Panel>
        {evolvedStandards.length > 0 && (
          <Panel title={t.profile.shifts}>
            <ul>
              {evolvedStandards.map(({ topic, shiftDate, oldPattern, newPattern }) => (
                <li
                  key={topic}
                  className="told"
                >{`${topic}, ${timeText(shiftDate)}: ${oldPattern} → ${newPattern}`}</li>
              ))}
            </ul>
          </Panel>
        )}
      </div>
      <Places places={Object.values(orgBreakdown)} />
    </>
  )
}

/** Nothing for somebody whose judgments are of no organization. */
function Places({ places }: { places: Place[] }) {
  const nameOf = useOrganizationNames(places.map(({ clientOrganizationId }) => clientOrganizationId))
  const columns = columnsOf(nameOf)
  if (places.length === 0) return null
  return (
    <Panel title={t.profile.places}>
      <DataTable
        label={t.profile.places}
        columns={columns}
        rows={places}
        idOf={({ clientOrganizationId }) => clientOrganizationId}
      />
    </Panel>
  )
}

const columnsOf = (nameOf: NameOf): Column<Place>[] => [
  { header: t.organization, cell: ({ clientOrganizationId }) => nameOf(clientOrganizationId) },
  { header: t.memory.judgments, isNumber: true, cell: ({ judgments }) => numberText(judgments) },
  { header: t.memory.approvals, isNumber: true, cell: ({ approvals }) => numberText(approvals) },
  { header: t.profile.approvals, isNumber: true, cell: ({ approvalRate }) => shareText(approvalRate) },
]
