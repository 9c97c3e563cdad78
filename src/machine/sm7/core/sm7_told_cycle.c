/* The cycle loop of an SM with events (sm7_told.h): the sources of sm7_unit.c, compiled again under other names. */
#define SL_SM7_TOLD 1
#define sl_sm7_nothing sl_sm7_nothing_told
#define sl_sm7_conflicts_of_banks sl_sm7_conflicts_of_banks_told
#define sl_sm7_sectors sl_sm7_sectors_told
#define sl_sm7_lines sl_sm7_lines_told
#define sl_sm7_atomic_sectors sl_sm7_atomic_sectors_told
#define sl_sm7_local_sectors sl_sm7_local_sectors_told
#define sl_sm7_collect sl_sm7_collect_told
#define sl_sm7_is_any_collecting sl_sm7_is_any_collecting_told
#define sl_sm7_fetch sl_sm7_fetch_told
#define sl_sm7_instructions_came sl_sm7_instructions_came_told
#define sl_sm7_flush sl_sm7_flush_told
#define sl_sm7_fetches sl_sm7_fetches_told
#define sl_sm7_issue sl_sm7_issue_told
#define sl_sm7_issues sl_sm7_issues_told
#define sl_sm7_note_age sl_sm7_note_age_told
#define sl_sm7_lsu_cycle sl_sm7_lsu_cycle_told
#define sl_sm7_lsu_next sl_sm7_lsu_next_told
#define sl_sm7_phases_begin sl_sm7_phases_begin_told
#define sl_sm7_phases_follow sl_sm7_phases_follow_told
#define sl_sm7_phases_done sl_sm7_phases_done_told
#define sl_sm7_phases_open sl_sm7_phases_open_told
#define sl_sm7_phases_fetchable sl_sm7_phases_fetchable_told
#define sl_sm7_sm_init sl_sm7_sm_init_told
#define sl_sm7_sm_free sl_sm7_sm_free_told
#define sl_sm7_sm_launch sl_sm7_sm_launch_told
#define sl_sm7_sm_end sl_sm7_sm_end_told
#define sl_sm7_sm_start sl_sm7_sm_start_told
#define sl_sm7_sm_cycle sl_sm7_sm_cycle_told
#define sl_sm7_write_results sl_sm7_write_results_told
#define sl_sm7_execute sl_sm7_execute_told
#define sl_sm7_next_result sl_sm7_next_result_told
#define sl_sm7_pass sl_sm7_pass_told
#define sl_sm7_waits_init sl_sm7_waits_init_told
#define sl_sm7_waits_reset sl_sm7_waits_reset_told
#define sl_sm7_waits_free sl_sm7_waits_free_told
#define sl_sm7_waits_turn sl_sm7_waits_turn_told
#define sl_sm7_waits_add sl_sm7_waits_add_told
#define sl_sm7_waits_settle sl_sm7_waits_settle_told

#include "machine/sm7/core/sm7_unit.c"

#include "machine/sm7/core/sm7_eliminate.c"
