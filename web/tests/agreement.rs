//! The API and the library say the same, to the last digit.

#![cfg(feature = "ssr")]
#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod common;

use axum::http::StatusCode;
use bandwise_tests::{QUESTIONS, library_json, questions};

use common::get;

#[tokio::test]
async fn body_is_the_librarys_to_the_bit_for_200_questions() {
    let mut compared = 0;
    for question in questions() {
        let permalink = question.permalink();
        let address = format!("/api/v1/estimate{}", permalink.trim_start_matches('/'));
        let (status, _, text) = get(&address).await;
        let expected = library_json(&question).expect("JSON");
        assert_eq!(text, expected, "{address}");
        let code = match answer::ask(&question) {
            Ok(_) => StatusCode::OK,
            Err(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        assert_eq!(status, code, "{address}");
        compared += 1;
    }
    assert_eq!(compared, QUESTIONS);
}
