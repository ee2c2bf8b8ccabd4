-- Those of 0670 take their place.
drop index user_group_member_of_user;
drop index notification_preference_of_user;
drop index reaction_of_user;
drop index comment_participant_of_user;
