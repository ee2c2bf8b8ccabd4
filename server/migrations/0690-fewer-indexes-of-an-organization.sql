-- For databases that an unreleased version gave them. With what 0730 tells the planner they are not needed, and the checks of foreign keys could
-- read all of an organization by them.
drop index if exists document_of_organization, access_grant_of_organization, notification_preference_of_organization;
